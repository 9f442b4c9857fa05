// Program around a Verilator model: reads commands from standard input, writes answers to standard
// output. model_protocol.rs describes the protocol, simulator.rs the instant at which ports are
// read. The program is compiled once; model.h is its interface to the model.

#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "model.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

struct Watch {
    Port port;
    uint32_t number;
    uint64_t last;
    bool fresh;
};

struct SampleList {
    Port valid;
    std::vector<Port> ports;
};

// The longest answer: a sample of 128 ports of 16 digits and a blank each.
constexpr size_t LONGEST_ANSWER = 4096;
// Cycles between two signs of life.
constexpr uint64_t ALIVE = 1 << 20;

class Output {
  public:
    // Makes room for one answer. The model itself may print through stdio, so these bytes bypass
    // its buffer and whole lines are written at once. The model may print no line break.
    void reserve() {
        if (sizeof buffer_ - length_ < LONGEST_ANSWER) flush();
        if (length_ == 0) text('\n');
    }
    void text(char c) { buffer_[length_++] = c; }
    void text(const char* s) {
        while (*s) text(*s++);
    }
    void hex(uint64_t value) {
        int digit = value ? (63 - __builtin_clzll(value)) / 4 : 0;
        for (; digit >= 0; --digit) text("0123456789abcdef"[value >> 4 * digit & 15]);
    }
    void flush() {
        std::fflush(stdout);
        for (size_t done = 0; done < length_;) {
            const ssize_t written = write(STDOUT_FILENO, buffer_ + done, length_ - done);
            if (written <= 0) std::exit(0);  // the reader has gone
            done += static_cast<size_t>(written);
        }
        length_ = 0;
    }

  private:
    char buffer_[1 << 16];
    size_t length_ = 0;
};

class Input {
  public:
    // The next byte, or -1 at the end.
    int byte() {
        if (at_ == end_) {
            const ssize_t count = read(STDIN_FILENO, buffer_, sizeof buffer_);
            if (count <= 0) return -1;
            at_ = 0;
            end_ = static_cast<size_t>(count);
        }
        return buffer_[at_++];
    }
    // A number and the byte behind it, which is a blank or the line's end.
    uint64_t hex() {
        int c = byte();
        while (c == ' ') c = byte();
        uint64_t value = 0;
        for (; c > ' '; c = byte()) value = value << 4 | static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
        return value;
    }
    std::string rest_of_line() {
        std::string line;
        int c = byte();
        while (c == ' ') c = byte();
        for (; c >= 0 && c != '\n'; c = byte()) line += static_cast<char>(c);
        return line;
    }

  private:
    unsigned char buffer_[1 << 16];
    size_t at_ = 0;
    size_t end_ = 0;
};

Input input;
Output output;

class Simulation {
  public:
    Simulation() {
#if VM_TRACE
        context_.traceEverOn(true);
#endif
        model_create(context_, ports_);
        for (const Port& port : ports_) port.set(0);
        model_eval();
    }
    ~Simulation() {
        wave_stop();
        model_destroy();
    }

    void run() {
        for (int command = input.byte(); command >= 0; command = input.byte()) {
            switch (command) {
                case 'p': poke(); break;
                case 's': step(input.hex()); break;
                case 'u': run_until(); break;
                case 'g': get(); break;
                case 'w': watch(); break;
                case 'm': sample(); break;
                case 'd': wave_start(input.rest_of_line()); break;
                case 'D': wave_stop(); break;
                case 'f': flush(); break;
                default: break;  // line ends of commands without numbers
            }
        }
    }

  private:
    const Port& port() {
        const uint64_t number = input.hex();
        if (number >= ports_.size()) {
            std::fprintf(stderr, "there is no port %" PRIu64 "\n", number);
            std::exit(2);
        }
        return ports_[number];
    }

    void poke() {
        const Port& target = port();
        target.set(input.hex());
        stale_ = true;
    }

    // Lets combinational logic follow the inputs.
    void settle() {
        if (stale_) model_eval();
        stale_ = false;
    }

    void step(uint64_t clocks) {
        settle();
        if (watches_.empty() && lists_.empty()) {
            for (; clocks > 0; --clocks) clock();
        } else {
            for (; clocks > 0; --clocks) {
                observe();
                clock();
            }
        }
    }

    void run_until() {
        const Port& target = port();
        const uint64_t value = input.hex();
        const uint64_t max = input.hex();
        settle();
        uint64_t done = 0;
        for (; done < max && target.get() != value; ++done) {
            observe();
            clock();
        }
        output.reserve();
        output.text("\001u ");
        output.hex(done);
        output.text(target.get() == value ? " 1\n" : " 0\n");
    }

    void get() {
        const Port& target = port();
        settle();
        output.reserve();
        output.text("\001v ");
        output.hex(target.get());
        output.text('\n');
    }

    void watch() {
        const Port& target = port();
        const uint32_t number = static_cast<uint32_t>(&target - ports_.data());
        auto place = watches_.begin();
        while (place != watches_.end() && place->number < number) ++place;
        if (place == watches_.end() || place->number != number) {
            place = watches_.insert(place, Watch{target, number, 0, true});
        }
        place->fresh = true;
    }

    void sample() {
        SampleList list;
        list.valid = port();
        for (uint64_t count = input.hex(); count > 0; --count) list.ports.push_back(port());
        lists_.push_back(list);
    }

    void flush() {
        end_if_finished();
        output.reserve();
        output.text("\001f\n");
        output.flush();
    }

    void end_if_finished() {
        if (!context_.gotFinish()) return;
        output.flush();
        std::fputs("the design called $finish\n", stderr);
        std::exit(0);
    }

    void observe() {
        for (Watch& watch : watches_) {
            const uint64_t value = watch.port.get();
            if (value == watch.last && !watch.fresh) continue;
            watch.last = value;
            watch.fresh = false;
            output.reserve();
            output.text("\001e ");
            output.hex(clocks_);
            output.text(' ');
            output.hex(watch.number);
            output.text(' ');
            output.hex(value);
            output.text('\n');
        }
        for (size_t number = 0; number < lists_.size(); ++number) {
            if (!lists_[number].valid.get()) continue;
            output.reserve();
            output.text("\001s ");
            output.hex(clocks_);
            output.text(' ');
            output.hex(number);
            for (const Port& port : lists_[number].ports) {
                output.text(' ');
                output.hex(port.get());
            }
            output.text('\n');
        }
    }

    // One cycle. Logic has settled before and has settled again behind it.
    void clock() {
#if VM_TRACE
        if (wave_) wave_->dump(10 * clocks_);
#endif
        model_clock(1);
#if VM_TRACE
        if (wave_) wave_->dump(10 * clocks_ + 5);
#endif
        model_clock(0);
        if (++clocks_ % ALIVE == 0) {
            end_if_finished();
            output.reserve();
            output.text("\001h\n");
            output.flush();
        }
    }

#if VM_TRACE
    void wave_start(const std::string& path) {
        wave_ = new VerilatedVcdC;
        model_trace(*wave_);
        wave_->open(path.c_str());
    }
    void wave_stop() {
        if (!wave_) return;
        settle();
        wave_->dump(10 * clocks_);
        wave_->close();
        delete wave_;
        wave_ = nullptr;
    }
    VerilatedVcdC* wave_ = nullptr;
#else
    void wave_start(const std::string&) {}
    void wave_stop() {}
#endif

    VerilatedContext context_;
    std::vector<Port> ports_;
    std::vector<Watch> watches_;
    std::vector<SampleList> lists_;
    uint64_t clocks_ = 0;
    bool stale_ = true;
};

}  // namespace

int main() {
    Simulation().run();
    return 0;
}
