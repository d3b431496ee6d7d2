/** Loads a configuration: merges the files, resolves references and runs all checks. */
package io.chimera.common.config.load;
