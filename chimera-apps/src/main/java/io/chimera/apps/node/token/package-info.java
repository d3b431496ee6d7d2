/** Commands for tokens and password hashes. */
package io.chimera.apps.node.token;
