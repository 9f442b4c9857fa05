// Interface between the program of main.cpp and the one model that is linked to it.

#ifndef DUOFORGE_MODEL_H
#define DUOFORGE_MODEL_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verilated.h"

// Port: a member of the model of 1, 2, 4 or 8 bytes.
struct Port {
    void* at;
    size_t bytes;

    uint64_t get() const {
        switch (bytes) {
            case 1: return *static_cast<const CData*>(at);
            case 2: return *static_cast<const SData*>(at);
            case 4: return *static_cast<const IData*>(at);
            default: return *static_cast<const QData*>(at);
        }
    }

    void set(uint64_t value) const {
        switch (bytes) {
            case 1: *static_cast<CData*>(at) = static_cast<CData>(value); break;
            case 2: *static_cast<SData*>(at) = static_cast<SData>(value); break;
            case 4: *static_cast<IData*>(at) = static_cast<IData>(value); break;
            default: *static_cast<QData*>(at) = value; break;
        }
    }
};

// Creates the model and lists its ports in the order of their numbers. The clock is low.
void model_create(VerilatedContext& context, std::vector<Port>& ports);
// Evaluates the model.
void model_eval();
// Sets the clock and evaluates the model.
void model_clock(uint8_t level);
// Ends the simulation and deletes the model.
void model_destroy();
#if VM_TRACE
class VerilatedVcdC;
// Registers all signals of the model with a waveform.
void model_trace(VerilatedVcdC& wave);
#endif

#endif
