#include "models/kernels/kernels.h"

#include <vector>

#include "models/kernels/rows.h"
#include "models/machine/nearest.h"

namespace brink::machine {

std::span<const KernelRow> kernel_rows() {
  static const KernelRow rows[] = {linux_1_3_24_row(), linux_1_3_78_row(), linux_2_1_row(),
                                   linux_2_3_row(),    linux_2_4_row(),    linux_2_4_19_row(),
                                   linux_2_5_row(),    linux_6_row()};
  return rows;
}

Result<const KernelRow*, MachineError> find_kernel(std::string_view name) {
  std::vector<std::string_view> names;
  for (const KernelRow& row : kernel_rows()) {
    if (row.name == name) return &row;
    names.push_back(row.name);
  }
  return fail(MachineError{"kernel", unknown_name("kernel", name, names)});
}

}  // namespace brink::machine
