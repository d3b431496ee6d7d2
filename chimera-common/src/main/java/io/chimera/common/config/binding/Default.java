package io.chimera.common.config.binding;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Default of a configuration key, as written in the file. Without a value: an empty text, list or map, or a section
 * with the defaults of all its keys. A key without this annotation has no default: its value may be absent.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD})
public @interface Default {
    /** One text for a single value, or one text per item of a list. */
    String[] value() default {};
}
