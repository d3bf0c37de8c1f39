/** What a savepoint holds, for people: what the summaries of all cores have in common. */
package dev.weir.engine.summary;
