/** Plans and runs compositions: blocks with input and output points, connected as configured. */
package io.chimera.common.composition;
