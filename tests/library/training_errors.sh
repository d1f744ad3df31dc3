#!/usr/bin/env bash
# What a plan of training says where it cannot be: training_errors.sh WAVE [MODULE]
set -u
wave=$1
module=${2:-std.training.plan}
failed=0

says() {   # says MESSAGE -D NAME=VALUE…
  local message=$1 output
  shift
  output=$("$wave" run "$module" "$@" 2>&1)
  if [ $? -ne 1 ] || ! grep -qF "$message" <<< "$output"; then
    printf 'expected "%s" of %s, found:\n%s\n' "$message" "$*" "$output"
    failed=1
  fi
}

says "tensor_model_parallel_size times pipeline_model_parallel_size must divide world_size" -D world_size=100
says "must divide global_batch_size" -D micro_batch_size=3
says "must be at most gpus_per_node, or a multiple of it" -D tensor_model_parallel_size=12 -D world_size=96
says "more parts than layers" -D pipeline_model_parallel_size=128 -D world_size=1024
says "layers must divide evenly" -D pipeline_model_parallel_size=5 -D world_size=40 -D global_batch_size=5
says "only the interleaved schedule has several chunks" -D virtual_pipeline_model_parallel_size=2 -D schedule=gpipe
says "one stage has nothing to interleave" -D pipeline_model_parallel_size=1 -D virtual_pipeline_model_parallel_size=2 -D world_size=8
says "interleaving takes microbatches in groups of stages" -D virtual_pipeline_model_parallel_size=2 -D global_batch_size=12
says "fewer microbatches than stages" -D schedule=zb_h1 -D global_batch_size=4
says "too few microbatches" -D schedule=zb_h2 -D global_batch_size=14
says "dualpipe needs an even number of stages" -D schedule=dualpipe -D global_batch_size=8
says "pipeline_model_parallel_size must be 1" -D zero_stage=2
says "overlap_param_gather needs use_distributed_optimizer" -D overlap_param_gather=true
says "tp_comm_overlap needs sequence_parallel" -D tp_comm_overlap=true -D sequence_parallel=false
says "tensor_model_parallel_size must divide num_attention_heads" -D num_attention_heads=100 -D kv_channels=128
says "tensor_model_parallel_size must divide vocab_size" -D vocab_size=50257
says "the network has no experts" -D expert_model_parallel_size=2
says "expert_model_parallel_size must divide num_experts" -D num_experts=6 -D expert_model_parallel_size=4 \
  -D world_size=256 -D global_batch_size=256
says "more than memory_limit, most of it states of the optimizer" -D "memory_limit=40 GB"
says "more than memory_limit, most of it activations" -D recompute_granularity=none -D micro_batch_size=8
says "more than memory_limit, most of it gradients" -D use_distributed_optimizer=true -D world_size=1024 \
  -D global_batch_size=1024 -D "gradient_size=40 B" -D recompute_granularity=full
says "more than memory_limit, most of it weights" -D use_distributed_optimizer=true -D world_size=1024 \
  -D global_batch_size=1024 -D "weight_size=40 B" -D recompute_granularity=full
exit $failed
