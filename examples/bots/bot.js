#!/usr/bin/env node
// Starter bot for duoforge in JavaScript, without packages.
//
//     duoforge match "bot:node examples/bots/bot.js" pattern
//
// It places the largest tile that fits, as near to the centre as possible. Put your own ideas into
// choose(). docs/bots.md describes the protocol.
"use strict";

const COORDINATES = "123456789abcdefghijk";

// Number of cells of a tile: a has 1, b has 2, c and d have 3, e to i have 4, j to u have 5.
function tileSize(letter) {
  return 1 + (letter >= "b") + (letter >= "c") + (letter >= "e") + (letter >= "j");
}

// Returns one of the legal codes of a state: column, row, tile, rotation, or 0000 for a pass.
function choose(state) {
  const middle = state.board.length - 1;
  const value = (code) => {
    if (code === "0000") return -1000;
    const [x, y] = [code[0], code[1]].map((letter) => COORDINATES.indexOf(letter));
    return 100 * tileSize(code[2]) - Math.abs(2 * x - middle) - Math.abs(2 * y - middle);
  };
  let best = state.legal.codes[0];
  for (const code of state.legal.codes) {
    if (value(code) > value(best)) best = code;
  }
  return best;
}

let state = null;

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.split(" ");
  const command = words.slice(0, 2).join(" ");
  if (command === "action warmup") {
    // The state lists the legal moves, so a bot need not know the rules.
    console.log("settings state json");
    console.log("ready");
  } else if (command === "update game" && words[2] === "state") {
    state = JSON.parse(words.slice(3).join(" "));
  } else if (command === "action move") {
    // Standard error is the log. Text behind a move is kept with it.
    console.error(`${state.legal.count} placements, ${words[2]} ms left`);
    console.log(`${choose(state)} largest tile first`);
  } else if (command === "quit") {
    process.exit(0);
  }
});
