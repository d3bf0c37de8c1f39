/** Every setting of the Flink jobs, with its type, default and meaning; docs/CONFIGURATION.md is generated from here. */
package dev.weir.job.options;
