/** The rings of consistent hashing: where each worker stands, and from where a virtual chunk starts to look. */
package dev.weir.placement.ring;
