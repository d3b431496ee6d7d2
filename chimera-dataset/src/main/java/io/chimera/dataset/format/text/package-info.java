/** Text formats of data sets: lines for any parser, CSV and JSON lines with a mapping to points. */
@NullMarked
package io.chimera.dataset.format.text;

import org.jspecify.annotations.NullMarked;
