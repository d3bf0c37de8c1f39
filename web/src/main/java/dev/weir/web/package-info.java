/** What programs that speak JSON over HTTP share: bodies, and failures as problem documents (RFC 9457). */
package dev.weir.web;
