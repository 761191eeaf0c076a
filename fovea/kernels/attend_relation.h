/// What relations (AttendRelation) ask of attention outside of its loops over keys. A query meets
/// the vectors of distance d only in two numbers:
///
///   t_id = scale q_i . keys[d], which is added to the scores of the keys at that distance, and
///   u_id = sum of drop(w_ij) over them, which brings u_id values[d] to the output.
///
/// So the loops work with tables (Q, H*(2R+1)) of such numbers, and all that concerns the vectors
/// is a few products before and after them.
#pragma once

#include "fovea/kernels/attend.h"
#include "fovea/kernels/scratch.h"

namespace fovea::kernels {

/// What the loops over keys see of relations; tables are (Q, H*distances).
struct RelationTables {
  Dim distances = 0;              // 2R+1; 0: there are no relations
  Rows<const float> scores = {};  // t
  Rows<float> weights = {};       // u, written
  // For backward:
  Rows<const float> dweights = {};  // du_id, added to dout_i.v_j
  Rows<float> dscores = {};         // dt_id = sum of ds_ij, written
};

/// Room for `count` tables; none if there are no relations.
class RelationMemory {
 public:
  RelationMemory(const AttendInput<float>& in, const AttendOptions<float>& o, Dim count)
      : rows_(in.q.rows), cols_(o.heads * o.relation.keys.rows), numbers_(count * rows_ * cols_) {}

  Rows<float> operator[](Dim n) const {
    return rows_of(numbers_.data() + n * rows_ * cols_, rows_, cols_);
  }

 private:
  Dim rows_, cols_;
  Scratch<float> numbers_;
};

/// table_ih = scale vectors x_ih, for each head h of x (Q, H*C): vectors (2R+1, C).
void relate(Rows<const float> x, Rows<const float> vectors, float scale, Dim heads,
            Rows<float> table);

/// y_ih += scale vectors' table_ih.
void add_related(Rows<const float> table, Rows<const float> vectors, float scale, Dim heads,
                 Rows<float> y);

/// dvectors += scale sum over i and h of the outer products table_ih x_ih'.
void add_relation_gradient(Rows<const float> table, Rows<const float> x, float scale, Dim heads,
                           Rows<float> dvectors);

}  // namespace fovea::kernels
