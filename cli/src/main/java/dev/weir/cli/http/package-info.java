/** What commands have in common that ask over HTTP. */
package dev.weir.cli.http;
