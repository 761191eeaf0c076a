"""NAME-bfloat16 is the workload NAME with products of bfloat16, as PyTorch's users have them: autocast
around a forward pass and its loss. Not around a whole run, which would go on with the weights that it
began with: autocast keeps what it has rounded until it ends."""

import sys

import torch

ENDING = "-bfloat16"
BFLOAT16 = sys.argv[-1].endswith(ENDING)


def forward_pass():
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=BFLOAT16)
