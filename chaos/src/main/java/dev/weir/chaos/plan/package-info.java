/** Which faults there will be, and when: drawn from a seed before anything runs. */
package dev.weir.chaos.plan;
