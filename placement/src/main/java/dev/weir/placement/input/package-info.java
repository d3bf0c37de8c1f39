/** What a placement is computed from: workers, chunks, and how to place. Same input, same assignment. */
package dev.weir.placement.input;
