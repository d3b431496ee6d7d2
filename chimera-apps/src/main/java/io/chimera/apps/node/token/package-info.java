/** Commands that make tokens and hashes of passwords. */
package io.chimera.apps.node.token;
