"""Bot with one fault: misbehaving.py KIND [SECONDS].

Otherwise it plays the first of the legal codes. SECONDS is the length of a delay.
"""
import json
import os
import signal
import sys
import time

KIND = sys.argv[1]
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0


def log(text):
    print(text, file=sys.stderr, flush=True)


def answer(text):
    # One write: print() writes the line feed apart if Python is unbuffered.
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def fork(count):
    """Starts processes that keep the pipes open and do not end by themselves."""
    for _ in range(count):
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)


def leave():
    """Starts a process of its own session that keeps the pipes open for a while."""
    begun, begin = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.write(begin, b"x")
        time.sleep(20)
        os._exit(0)
    os.read(begun, 1)


def move(number, codes):
    """Answers request `number`, from 0."""
    if KIND == "raise" and number == 2:
        raise ValueError("the table is broken")
    if KIND == "kill" and number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if KIND == "half" and number == 2:
        # The half of a code that a program writes before it is killed.
        log("cut off")
        sys.stdout.write(codes[0][:2])
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if KIND == "exit" and number == 2:
        log("I give up")
        sys.exit(0)
    if KIND == "mute" and number >= 2:
        log("thinking for ever")
        return
    if KIND == "skip" and number == 2:
        return
    if (KIND, number) in [("late-first", 0), ("late-once", 2), ("late-twice", 2), ("late-twice", 4)]:
        log(f"thinking for {SECONDS} s")
        time.sleep(SECONDS)
    if KIND == "blank":
        os.execlp("yes", "yes", "")
    if KIND == "flood":
        for _ in range(3 << 10):
            sys.stderr.write("x" * 1023 + "\n")
    if KIND == "eat" and number == 2:
        log("allocating")
        hoard = [bytearray(1 << 24) for _ in range(1 << 8)]
        log(f"allocated {len(hoard)}")
    if KIND == "burn" and number == 2:
        log("computing")
        while True:
            pass
    if KIND == "fork" and number == 2:
        fork(3)
    if KIND == "fork-and-exit" and number == 2:
        fork(3)
        log("the children will do it")
        os._exit(5)
    if KIND == "leave-and-exit" and number == 2:
        leave()
        log("the child left the group")
        os._exit(3)
    if KIND == "upper" and number == 2:
        codes = [code.upper() for code in codes]
    if KIND == "illegal" and number == 2:
        codes = ["77u0"]
    if KIND == "word" and number == 2:
        codes = ["hello there"]
    if KIND == "number" and number == 2:
        codes = ["13730"]
    if KIND == "long-word" and number == 2:
        codes = ["x" * 3000]
    if KIND == "long-number" and number == 2:
        codes = ["9" * 3000]
    log(f"request {number}")
    if KIND == "twice":
        # One write, so that both lines arrive together.
        answer(f"{codes[0]}\n{codes[0]}")
        return
    answer(f"{codes[0]} text {number}" if KIND == "text" else codes[0])


def main():
    log(f"pid {os.getpid()}")
    if KIND == "crash":
        log("no model")
        sys.exit(3)
    state, number = None, 0
    for line in sys.stdin:
        words = line.split(maxsplit=3)
        if words[:2] == ["action", "warmup"]:
            if KIND == "silent":
                log("not in the mood")
                continue
            if KIND == "banner":
                answer("BOT 1.0")
            answer("settings state json")
            answer("ready")
        elif words[:3] == ["update", "game", "state"]:
            state = json.loads(words[3])
        elif words[:2] == ["action", "move"]:
            if KIND == "numbers":
                answer(state["legal"]["actions"][0])
            else:
                move(number, state["legal"]["codes"])
            number += 1
        elif words == ["quit"]:
            if KIND == "stay":
                time.sleep(600)
            log("bye")
            break


main()
