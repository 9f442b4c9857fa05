//! List of the conformance checks.

use crate::bot::{
    BotTester, answers as bot_answers, endings, logs, moves, start, states, variants,
};
use crate::conversation::Conversation;
use crate::device::CheckError;
use crate::step::{ConformanceCheck, Kind, Procedure};
use crate::steps::{advice, answers, bytes, games, situations};

/// Creates a required check.
const fn required(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        number,
        name,
        about,
        kind: Kind::Required,
        run: Procedure::Device(run),
        looks_back: false,
    }
}

/// Creates a check of the first game.
const fn look(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        looks_back: true,
        ..required(number, name, about, run)
    }
}

/// Creates an advisory check, whose failure is a warning.
const fn advised(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut Conversation) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        kind: Kind::Advice,
        ..required(number, name, about, run)
    }
}

/// Creates a required check of a text bot.
const fn bot(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut BotTester) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        number,
        name,
        about,
        kind: Kind::Required,
        run: Procedure::Bot(run),
        looks_back: false,
    }
}

/// Creates an advisory check of a text bot.
const fn bot_advised(
    number: usize,
    name: &'static str,
    about: &'static str,
    run: fn(&mut BotTester) -> Result<String, CheckError>,
) -> ConformanceCheck {
    ConformanceCheck {
        kind: Kind::Advice,
        ..bot(number, name, about, run)
    }
}

impl ConformanceCheck {
    /// All checks of devices in order: a device that fails an early check is unlikely to pass later ones.
    ///
    /// No check concerns the opponent's last tile. No host can lead every device into that
    /// situation, since a device may block. The situation is also invisible to the device: the host
    /// stops at that tile and sends `9` instead of the prompt that would contain it. The device has
    /// then replied and receives `9`, as in `next-game` and every other game that the host ends.
    pub const ALL: [Self; 25] = [
        required(
            1,
            "handshake",
            "0 gets the reply 1XX, with the same team code each time",
            answers::handshake,
        ),
        look(
            2,
            "answers",
            "every prompt of the first game gets a complete reply",
            answers::answers,
        ),
        look(
            3,
            "timing",
            "every reply of the first game is complete within the limit",
            answers::timing,
        ),
        look(
            4,
            "codes",
            "every reply of the first game is a code in small letters, without spaces",
            answers::codes,
        ),
        look(
            5,
            "rules",
            "every move of the first game is legal",
            answers::rules,
        ),
        look(
            6,
            "quiet",
            "no bytes other than replies arrive in the first game",
            answers::quiet,
        ),
        required(
            7,
            "next-game",
            "9 gets no reply; the next 0 starts a game from an empty board",
            games::next_game,
        ),
        required(
            8,
            "starts",
            "25 gets a placement on (5,5), and 2A one on (a,a)",
            games::starts,
        ),
        required(
            9,
            "orders",
            "35 and 3A with the opponent's first move get a placement on the device's start cell",
            games::orders,
        ),
        required(
            10,
            "aliases",
            "every code of a placement is understood, not only the canonical code",
            games::aliases,
        ),
        required(
            11,
            "opponent-finished",
            "after the opponent's last placement, the device continues to place tiles",
            situations::opponent_finished,
        ),
        required(
            12,
            "last-tile",
            "after the device's last tile, the host ends the game: 9 replaces the prompt",
            situations::last_tile,
        ),
        required(
            13,
            "forced-pass",
            "without a legal placement, the device passes with 0000",
            situations::forced_pass,
        ),
        required(
            14,
            "pass-after-pass",
            "after a forced pass, the device passes again when prompted",
            situations::pass_after_pass,
        ),
        required(
            15,
            "reset",
            "0 during a game starts another game",
            games::reset,
        ),
        required(
            16,
            "split",
            "the bytes of a code may arrive 15 ms apart",
            bytes::split,
        ),
        required(
            17,
            "back-to-back",
            "9 and 0 may arrive without a pause",
            bytes::back_to_back,
        ),
        required(
            18,
            "slow-host",
            "the host may be silent for seconds before a prompt",
            bytes::slow_host,
        ),
        required(
            19,
            "series",
            "many games in succession, from both start cells and in both orders",
            games::series,
        ),
        advised(
            20,
            "line-ends",
            "CR and LF after a host code are ignored",
            bytes::line_ends,
        ),
        advised(
            21,
            "garbage",
            "bytes that begin no code are ignored",
            bytes::garbage,
        ),
        advised(
            22,
            "partial-code",
            "a partial code is dropped after 200 ms of silence",
            bytes::partial_code,
        ),
        advised(
            23,
            "superseded",
            "a newer code supersedes a prompt whose reply is pending",
            bytes::superseded,
        ),
        advised(
            24,
            "no-handshake",
            "2A starts a game even if the preceding 0 was lost",
            games::no_handshake,
        ),
        advised(
            25,
            "no-voluntary-pass",
            "in all games so far, the device passed only without a legal placement",
            advice::no_voluntary_pass,
        ),
    ];

    /// All checks of text bots in order, numbered after those of devices.
    pub const BOT: [Self; 13] = [
        bot(
            26,
            "bot-ready",
            "action warmup gets ready in time, and no other ready arrives",
            start::ready,
        ),
        bot(
            27,
            "bot-answers",
            "every action move gets one line, in time and flushed at once",
            bot_answers::answers,
        ),
        bot(
            28,
            "bot-moves",
            "every answer is a code in small letters or an action number, and a legal move",
            moves::legal,
        ),
        bot(
            29,
            "bot-unknown-lines",
            "unknown lines and settings are ignored",
            start::unknown_lines,
        ),
        bot(
            30,
            "bot-mid-game",
            "update game moves of a game in the middle is understood, also at the first request",
            moves::mid_game,
        ),
        bot(
            31,
            "bot-state",
            "a state that was asked for is used, and one that was not is ignored",
            states::state,
        ),
        bot(
            32,
            "bot-forfeit",
            "after a time-out, the move that replaces the bot's own is accepted",
            moves::forfeit,
        ),
        bot(
            33,
            "bot-forced-pass",
            "without a legal placement, the bot passes",
            moves::forced_pass_check,
        ),
        bot(
            34,
            "bot-variants",
            "moves are legal in every variant whose input test the bot passes",
            variants::variants,
        ),
        bot(
            35,
            "bot-split",
            "the bytes of a line may arrive in pieces",
            moves::split,
        ),
        bot(
            36,
            "bot-quit",
            "quit ends the program within 500 ms",
            endings::quit,
        ),
        bot_advised(
            37,
            "bot-end-of-input",
            "the end of the input ends the program",
            endings::end_of_input,
        ),
        bot_advised(
            38,
            "bot-log",
            "the log of a game fits into 1 MiB",
            logs::size,
        ),
    ];
}
