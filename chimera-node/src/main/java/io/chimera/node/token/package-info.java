/** Commands for tokens and password hashes. */
package io.chimera.node.token;
