/**
 * Contract kits: abstract tests for every implementation of a plugin interface. The tests of a plugin extend the kits.
 */
package io.chimera.api.kit;
