/** {@code ./weir chaos}: Weir's programs as processes, with a broker and a database of their own, under load and under random faults. */
package dev.weir.chaos;
