/**
 * Search for the origin of an attack in packet archives (Hyperion 2007, 7.5): the seven questions, and synthetic
 * attacks for exercises.
 */
package io.chimera.apps.forensics;
