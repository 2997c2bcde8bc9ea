"""Pyramid solitaire: deal, play, replay, solve and analyse games, as a library and as a command."""
