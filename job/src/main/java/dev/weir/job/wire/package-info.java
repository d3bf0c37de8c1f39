/** The records between the operators of the jobs: immutable messages with explicit, versioned serializers. */
package dev.weir.job.wire;
