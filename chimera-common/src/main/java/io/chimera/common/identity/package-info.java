/**
 * Identities of nodes and clients as values: names in certificates, access roles, address ranges and password hashes.
 */
package io.chimera.common.identity;
