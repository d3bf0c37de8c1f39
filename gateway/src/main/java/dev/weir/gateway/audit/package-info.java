/** The record of every change: who asked for what, when, from where, and what came of it. */
package dev.weir.gateway.audit;
