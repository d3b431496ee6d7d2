/** The applications: one package each. */
package io.chimera.apps;
