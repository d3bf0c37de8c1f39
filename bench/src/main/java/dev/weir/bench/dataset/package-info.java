/** A large dataset through the whole system, from its task to its close at DSM. */
package dev.weir.bench.dataset;
