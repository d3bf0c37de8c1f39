/** The work that goes on meanwhile: a WFMS that keeps tasks open, pilots that always live, and what both see. */
package dev.weir.chaos.load;
