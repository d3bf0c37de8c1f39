/** How many workers each chunk goes to: factors by weight, within the budget. */
package dev.weir.placement.replication;
