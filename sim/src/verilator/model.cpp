// Model behind the interface of model.h, which the common header of all models includes. It is one
// unit with the sources that Verilator wrote. `ports.inc` lists the ports of the model as
// PORT(member) in the order of their numbers.

#include "Vmodel.h"

namespace {

Vmodel* model;

}  // namespace

void model_create(VerilatedContext& context, std::vector<Port>& ports) {
    model = new Vmodel{&context};
    model->clock = 0;
    const Port list[] = {
#define PORT(member) {&model->member, sizeof model->member},
#include "ports.inc"
#undef PORT
    };
    ports.assign(list, list + sizeof list / sizeof *list);
}

void model_eval() { model->eval(); }

void model_clock(uint8_t level) {
    model->clock = level;
    model->eval();
}

void model_destroy() {
    model->final();
    delete model;
}

#if VM_TRACE
void model_trace(VerilatedVcdC& wave) { model->trace(&wave, 99); }
#endif
