/** Tokens of an OpenID provider: signed with keys that it publishes, with claims that name role and scope. */
package dev.weir.gateway.openid;
