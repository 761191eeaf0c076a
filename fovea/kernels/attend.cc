#include "fovea/kernels/attend.h"

#include "fovea/kernels/attend_plain.h"

namespace fovea::kernels {

void attend(const AttendInput<float>& input, const AttendOptions<float>& options, Rows<float> out,
            float* lse, const Capture<float>* capture) {
  plain::attend(input, options, out, lse, capture);
}

void attend(const AttendInput<double>& input, const AttendOptions<double>& options,
            Rows<double> out, double* lse, const Capture<double>* capture) {
  plain::attend(input, options, out, lse, capture);
}

template Dim capture_size(const Capture<float>&, std::span<const Dim>, std::span<const Dim>);
template Dim capture_size(const Capture<double>&, std::span<const Dim>, std::span<const Dim>);

}  // namespace fovea::kernels
