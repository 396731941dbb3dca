// One function per kernel file; kernels.cpp puts the rows in order. Users: the kernel files only.
#pragma once

#include "models/kernels/kernels.h"

namespace brink::machine {

KernelRow linux_1_3_24_row();
KernelRow linux_1_3_78_row();
KernelRow linux_2_1_row();
KernelRow linux_2_3_row();
KernelRow linux_2_4_row();
KernelRow linux_2_4_19_row();
KernelRow linux_2_5_row();
KernelRow linux_6_row();

}  // namespace brink::machine
