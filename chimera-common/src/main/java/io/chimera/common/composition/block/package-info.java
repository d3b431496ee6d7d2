/** The blocks that are built in. They see nothing but what a plugin sees. */
package io.chimera.common.composition.block;
