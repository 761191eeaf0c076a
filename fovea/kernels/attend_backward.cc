#include "fovea/kernels/attend_plain.h"

namespace fovea::kernels {

void attend_backward(const AttendInput<float>& input, const AttendOptions<float>& options,
                     Rows<const float> out, const float* lse, Rows<const float> dout,
                     const AttendGradients<float>& gradients) {
  plain::attend_backward(input, options, out, lse, dout, gradients);
}

void attend_backward(const AttendInput<double>& input, const AttendOptions<double>& options,
                     Rows<const double> out, const double* lse, Rows<const double> dout,
                     const AttendGradients<double>& gradients) {
  plain::attend_backward(input, options, out, lse, dout, gradients);
}

}  // namespace fovea::kernels
