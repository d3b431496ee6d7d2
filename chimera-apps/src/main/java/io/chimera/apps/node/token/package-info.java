/** Commands that create tokens and password hashes. */
package io.chimera.apps.node.token;
