"use strict";
// Shows one step of one game at a time. All text from the data goes through textContent.
(() => {
  const find = (id) => document.getElementById(id);
  const { layout, games, sentences, texts } = JSON.parse(find("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const PLACES = 28;
  let game = games[0];
  let step = 0;
  let said = 0;

  // Fills the gaps of a text, which stand in braces.
  const fill = (text, gaps) => text.replace(/\{(\w+)\}/g, (_, name) => gaps[name]);

  if (!game) {
    find("about").textContent = texts.none;
    return;
  }

  const element = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // The board.

  // Puts the cards of a game in the order in which they are painted: later rows, and later waste cards, on top.
  const dealCards = () => {
    const layer = find("board-cards");
    for (const name of game.cards) layer.append(find(`card-${name}`));
    find("board-deal").textContent = game.deal;
    find("board-rules").textContent = game.rules;
  };

  const put = (name, [x, y], state) => {
    const card = find(`card-${name}`);
    card.style.transform = `translate(${x}px, ${y}px)`;
    card.setAttribute("class", `card ${state}`);
  };

  const drawBoard = (now) => {
    const waste = [];
    const stock = [];
    game.cards.forEach((name, index) => {
      if (index < PLACES) {
        const state = (now.free >> index) & 1 ? "free" : "covered";
        if ((now.pyramid >> index) & 1) put(name, layout.pyramid[index], state);
        else put(name, layout.foundation, "gone");
      } else if ((now.left >> (index - PLACES)) & 1) {
        (index - PLACES < now.drawn ? waste : stock).push(name);
      } else {
        put(name, layout.foundation, "gone");
      }
    });
    waste.reverse().forEach((name, depth) => {
      const shown = depth < layout.waste.length;
      const place = layout.waste[shown ? depth : layout.waste.length - 1];
      put(name, place, shown ? (depth ? "below" : "free") : "gone");
    });
    stock.forEach((name, depth) => put(name, layout.stock, game.stockOpen && !depth ? "free" : "gone"));
    find("board-back").style.display = stock.length ? "" : "none";
    find("board-stock").textContent = fill(texts.stock, { n: stock.length });
    find("board-waste").textContent = fill(texts.waste, { n: waste.length });
    find("board-foundation").textContent = now.removed;
    find("board-last").textContent = now.move ? `${texts.last} ${now.move}` : "";
    for (const name of ["score", "moves", "pass", "outcome"]) {
      find(`board-${name}`).textContent = now[name] ?? "";
    }
    [...find("board-marks").children].forEach((frame, n) => {
      const place = now.marks?.[n];
      frame.style.display = place ? "" : "none";
      if (place) frame.setAttribute("transform", `translate(${place[0]} ${place[1]})`);
    });
  };

  // The list of moves. One entry at a time can be reached by Tab; the up and down keys go on from there.

  const listMoves = () => {
    const items = game.steps.map((now, n) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const parts = [["number", n ? `${n}.` : ""], ["move", now.move || texts.start], ["note", noteText(now)]];
      for (const [name, text] of parts) {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        button.append(part);
      }
      button.type = "button";
      if (now.note === "??") button.classList.add("lost");
      button.addEventListener("click", () => go(n));
      item.append(button);
      return item;
    });
    find("moves").replaceChildren(...items);
  };

  const noteText = (now) => {
    if (now.note === "??") return `?? ${texts.winLost}`;
    return now.note ? `${now.note} +${now.cost}` : "";
  };

  const markMove = () => {
    const list = find("moves");
    list.querySelectorAll("button").forEach((button, n) => {
      button.tabIndex = n === step ? 0 : -1;
      if (n === step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    // Scrolls the list alone: scrollIntoView would move the page on a phone.
    const button = list.children[step].firstChild;
    const above = button.offsetTop - list.scrollTop;
    if (above < 0 || above + button.offsetHeight > list.clientHeight) {
      list.scrollTop = button.offsetTop - list.clientHeight / 2;
    }
  };

  // The curve of an analysis.

  const CURVE = { left: 50, right: 588, top: 10, bottom: 150 };
  const curveX = (n) => CURVE.left + ((CURVE.right - CURVE.left) * n) / Math.max(1, game.steps.length - 1);

  const drawCurve = () => {
    const steps = game.steps;
    find("analysis").hidden = !steps.some((now) => now.verdict);
    if (find("analysis").hidden) return;
    const most = Math.max(1, ...steps.map((now) => now.movesLeft ?? 0));
    const curveY = (moves) => CURVE.bottom - ((CURVE.bottom - CURVE.top) * moves) / most;
    const parts = [];

    // Where no win is left, as bands that begin with the move that lost it.
    const unwinnable = (n) => steps[n]?.verdict === "unwinnable";
    steps.forEach((_, n) => {
      if (!unwinnable(n) || unwinnable(n - 1)) return;
      let end = n;
      while (unwinnable(end)) end += 1;
      const from = curveX(n);
      const width = curveX(Math.min(steps.length - 1, end)) - from;
      parts.push(element("rect", { class: "lost-part", x: from, y: CURVE.top, width, height: CURVE.bottom - CURVE.top }));
    });
    parts.push(element("line", { class: "now", id: "now", y1: CURVE.top, y2: CURVE.bottom }));
    parts.push(
      element("path", { class: "axis", d: `M${CURVE.left} ${CURVE.top}V${CURVE.bottom}H${CURVE.right}` }),
      element("text", { x: CURVE.left - 8, y: CURVE.bottom, "text-anchor": "end" }, "0"),
      element("text", { x: CURVE.left, y: CURVE.bottom + 27 }, texts.start),
      element("text", { x: CURVE.right, y: CURVE.bottom + 27, "text-anchor": "end" }, `${steps.length - 1}`),
    );
    if (steps.some((now) => now.movesLeft !== undefined)) {
      parts.push(element("text", { x: CURVE.left - 8, y: CURVE.top + 17, "text-anchor": "end" }, `${most}`));
    }
    let path = "";
    steps.forEach((now, n) => {
      if (now.movesLeft === undefined) return;
      const joined = n > 0 && steps[n - 1].movesLeft !== undefined;
      // A point that stands alone still shows, as a dot of the round line end.
      path += `${joined ? "L" : "M"}${curveX(n)} ${curveY(now.movesLeft)}${joined ? "" : "h0"}`;
    });
    parts.push(element("path", { class: "left", d: path }));
    const lost = losses();
    for (const n of lost) {
      const x = curveX(n);
      parts.push(element("line", { class: "lost-line", x1: x, x2: x, y1: CURVE.top, y2: CURVE.bottom }));
      const at = { class: "lost-text", x: x + 8, y: CURVE.top + 20 };
      if (n === lost[0]) parts.push(element("text", at, fill(texts.winLostAt, { n })));
    }
    parts.push(element("circle", { class: "now-dot", id: "now-dot", r: 5 }));
    find("curve").replaceChildren(...parts);
    find("curve").dataset.most = most;
    find("summary").textContent = game.summary;
  };

  // How long a text is depends on language and font: what would run out on the right goes to the left of its line.
  const keepLabelInside = () => {
    const text = find("curve").querySelector(".lost-text");
    if (!text) return;
    const x = curveX(losses()[0]);
    const width = text.getComputedTextLength();
    if (x + 8 + width <= CURVE.right) return;
    text.setAttribute("text-anchor", "end");
    text.setAttribute("x", x - 8 - width >= 0 ? x - 8 : CURVE.right);
  };

  const losses = () => game.steps.flatMap((now, n) => (now.note === "??" ? [n] : []));

  const markCurve = () => {
    if (find("analysis").hidden) return;
    const x = curveX(step);
    const left = game.steps[step].movesLeft;
    find("now").setAttribute("x1", x);
    find("now").setAttribute("x2", x);
    find("now-dot").style.display = left === undefined ? "none" : "";
    find("now-dot").setAttribute("cx", x);
    const height = CURVE.bottom - CURVE.top;
    find("now-dot").setAttribute("cy", CURVE.bottom - (height * (left ?? 0)) / find("curve").dataset.most);
  };

  // Where we are, seen and said.

  const sayWhere = (now) => {
    const last = game.steps.length - 1;
    const place = step ? fill(texts.place, { n: step, last }) : game.opening;
    const verdict = sentences[now.says] ?? "";
    const seen = step ? fill(texts.placeMove, { n: step, last, move: now.move }) : `${place}.`;
    find("where").textContent = `${seen} ${verdict}`.trim();
    const words = now.text.map((n) => sentences[n]);
    find("words").replaceChildren(
      ...words.map((sentence) => {
        const item = document.createElement("li");
        item.textContent = sentence;
        return item;
      }),
    );
    // Said once the steps come to rest, so that a dragged slider does not queue every position.
    clearTimeout(said);
    said = setTimeout(() => {
      find("live").textContent = [`${place}.`, now.words, verdict, ...words].filter(Boolean).join(" ");
      keepAddress();
    }, 150);
  };

  const keepAddress = () => {
    try {
      history.replaceState(null, "", `#game=${games.indexOf(game) + 1}&step=${step}`);
    } catch {
      // Some places that show a file forbid this; the page works without it.
    }
  };

  const go = (wanted) => {
    step = Math.min(Math.max(0, wanted), game.steps.length - 1);
    const now = game.steps[step];
    drawBoard(now);
    markMove();
    markCurve();
    const slider = find("slider");
    slider.value = step;
    slider.setAttribute("aria-valuetext", step ? `${step}: ${now.move}` : texts.start);
    // A button that is really disabled would drop the keyboard's focus.
    for (const name of ["first", "back"]) find(name).setAttribute("aria-disabled", step === 0);
    for (const name of ["forward", "last"]) find(name).setAttribute("aria-disabled", step === game.steps.length - 1);
    sayWhere(now);
  };

  const open = (number, wanted) => {
    game = games[number];
    find("chooser").value = number;
    find("slider").max = game.steps.length - 1;
    find("about").textContent = game.about;
    find("fault").hidden = !game.fault;
    find("fault").textContent = game.fault ?? "";
    dealCards();
    listMoves();
    drawCurve();
    go(wanted);
    keepLabelInside(); // Measuring lays the page out: not before the cards lie where they should, or they would fly there.
  };

  const openAddress = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const whole = (name, none) => {
      const value = wanted.get(name) ?? "";
      return /^\d{1,9}$/.test(value) ? Number(value) : none;
    };
    const number = Math.min(Math.max(1, whole("game", 1)), games.length) - 1;
    open(number, whole("step", 0));
  };

  games.forEach((one, n) => {
    find("chooser").append(new Option(`${n + 1}. ${one.name}`, n));
  });
  find("choose").hidden = games.length < 2;
  find("chooser").addEventListener("change", (event) => open(Number(event.target.value), 0));
  find("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  find("first").addEventListener("click", () => go(0));
  find("back").addEventListener("click", () => go(step - 1));
  find("forward").addEventListener("click", () => go(step + 1));
  find("last").addEventListener("click", () => go(game.steps.length - 1));
  find("curve").addEventListener("click", (event) => {
    const box = find("curve").getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 600;
    go(Math.round(((x - CURVE.left) / (CURVE.right - CURVE.left)) * (game.steps.length - 1)));
  });
  find("moves").addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(step + by);
    find("moves").children[step].firstChild.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // The slider and the chooser have these keys themselves.
    if (event.target.matches?.("input, select")) return;
    const wanted = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: game.steps.length - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    go(wanted);
    if (document.activeElement.closest("#moves")) find("moves").children[step].firstChild.focus({ preventScroll: true });
  });
  addEventListener("hashchange", openAddress);

  find("main").hidden = false;
  openAddress();
})();
