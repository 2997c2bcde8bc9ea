from pyramide_cli import pyramid


def test_rows_and_covers() -> None:
    assert pyramid.ROW_STARTS == (0, 1, 3, 6, 10, 15, 21)
    assert len(pyramid.ROW_OF) == len(pyramid.COVERS) == len(pyramid.COVERED_BY) == 28
    assert [mask.bit_count() for mask in pyramid.ROW_MASKS] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert all(pyramid.ROW_MASKS[pyramid.ROW_OF[place]] >> place & 1 for place in range(28))
    assert [pyramid.ROW_OF.count(row) for row in range(1, 8)] == [1, 2, 3, 4, 5, 6, 7]
    assert pyramid.COVERS[0] == (1, 2)
    assert pyramid.COVERS[4] == (7, 8)
    assert pyramid.COVERS[20] == (26, 27)
    assert all(pyramid.COVERS[place] == () for place in range(21, 28))
    assert sum(pyramid.ROW_MASKS) == pyramid.FULL
    for place in range(28):
        for cover in pyramid.COVERS[place]:
            assert pyramid.ROW_OF[cover] == pyramid.ROW_OF[place] + 1
            assert place in pyramid.COVERED_BY[cover]
        assert all(place in pyramid.COVERS[under] for under in pyramid.COVERED_BY[place])


def test_there_are_1430_shapes() -> None:
    shapes = pyramid.shapes()
    assert len(shapes) == len(set(shapes)) == 1430
    assert shapes[0] == 0
    assert shapes[-1] == pyramid.FULL


def test_free_places_of_every_shape_by_definition() -> None:
    for shape in pyramid.shapes():
        there = set(pyramid.places(shape))
        free = {place for place in there if not there & set(pyramid.COVERS[place])}
        assert set(pyramid.places(pyramid.free_mask(shape))) == free
        # In a shape, whatever lies under a card that is there is there too.
        assert all(under in there for place in there for under in pyramid.COVERED_BY[place])
