/** Every setting of the Flink jobs, with type, default and meaning; docs/CONFIGURATION.md is generated from this package. */
package dev.weir.job.options;
