/** The hash that decides every position: SeaHash, and a form of it for names that are followed by a number. */
package dev.weir.placement.hash;
