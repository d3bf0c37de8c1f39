/**
 * The reference DSM: knows which files a dataset has, serves them over HTTP, and takes registrations of outputs and logs
 * until a dataset closes.
 *
 * <p>{@link dev.weir.dsm.DsmServer} puts it together: {@code catalogue} keeps everything in PostgreSQL, {@code files} makes datasets
 * from directories, {@code web} answers over HTTP, {@code register} consumes {@code dsm.register}.
 */
package dev.weir.dsm;
