package io.chimera.archive.query.condition;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Condition on a data point. */
public sealed interface PointCondition {
    /** Returns true if a point meets the condition. */
    @HotPath
    boolean matches(PointView point);

    /**
     * Relaxes a condition: true wherever some value of the field makes the condition true.
     *
     * @param isWanted false within an odd number of {@code not}: the result is false wherever some value of the field
     *     makes the condition false
     */
    static PointCondition ofAnyValue(PointCondition condition, String field, boolean isWanted) {
        if (condition instanceof All all) {
            return new All(ofAnyValue(all.parts, field, isWanted));
        }
        if (condition instanceof Any any) {
            return new Any(ofAnyValue(any.parts, field, isWanted));
        }
        if (condition instanceof Not not) {
            return new Not(ofAnyValue(not.part, field, !isWanted));
        }
        if (condition instanceof Value value && value.name.equals(field)) {
            return isWanted ? new Everything() : new Not(new Everything());
        }
        return condition;
    }

    private static List<PointCondition> ofAnyValue(List<PointCondition> parts, String field, boolean isWanted) {
        return parts.stream().map(part -> ofAnyValue(part, field, isWanted)).toList();
    }

    /** Always true. */
    record Everything() implements PointCondition {
        @Override
        public boolean matches(PointView point) {
            return true;
        }
    }

    /** Conjunction. */
    record All(List<PointCondition> parts) implements PointCondition {
        @Override
        public boolean matches(PointView point) {
            for (int i = 0; i < parts.size(); i++) {
                if (!parts.get(i).matches(point)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Disjunction. */
    record Any(List<PointCondition> parts) implements PointCondition {
        @Override
        public boolean matches(PointView point) {
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).matches(point)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Negation. */
    record Not(PointCondition part) implements PointCondition {
        @Override
        public boolean matches(PointView point) {
            return !part.matches(point);
        }
    }

    /** Comparison of the metric. */
    record Metric(String name, boolean isEqual) implements PointCondition {
        @Override
        public boolean matches(PointView point) {
            return point.metric().is(name) == isEqual;
        }
    }

    /**
     * Comparison of a tag or field. A point with neither a tag nor a field of the name does not match, whatever the
     * sign.
     *
     * @param number operand for numeric fields; null if the text is not a number
     */
    record Value(
            String name, Sign sign, String text, @Nullable Operand number) implements PointCondition {
        @Override
        public boolean matches(PointView point) {
            Text tag = point.tag(name);
            if (tag != null) {
                return isText(tag);
            }
            int field = point.field(name);
            if (field < 0) {
                return false;
            }
            FieldType type = point.fieldType(field);
            return type == FieldType.TEXT ? isText(point.text(field)) : isNumber(point, field, type);
        }

        private boolean isText(Text found) {
            return sign.isOfText() && found.is(text) == (sign == Sign.EQUAL);
        }

        private boolean isNumber(PointView point, int field, FieldType type) {
            Operand operand = number;
            if (operand == null) {
                return false;
            }
            if (operand.isWhole() && type == FieldType.LONG) {
                return sign.holds(Long.compare(point.whole(field), operand.whole()));
            }
            if (operand.isWhole() && type == FieldType.UNSIGNED) {
                int compared = operand.whole() < 0 ? 1 : Long.compareUnsigned(point.whole(field), operand.whole());
                return sign.holds(compared);
            }
            double found = point.number(field);
            return sign.holds(found < operand.number() ? -1 : found > operand.number() ? 1 : 0); // treats -0 as 0
        }
    }

    /** Number in a filter, with the precision as written. */
    record Operand(boolean isWhole, long whole, double number) {}

    /** Comparison operator. */
    enum Sign {
        EQUAL("="),
        NOT_EQUAL("!="),
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">=");

        private final String symbol;

        Sign(String symbol) {
            this.symbol = symbol;
        }

        public String symbol() {
            return symbol;
        }

        public boolean isOfText() {
            return this == EQUAL || this == NOT_EQUAL;
        }

        @HotPath
        boolean holds(int compared) {
            return switch (this) {
                case EQUAL -> compared == 0;
                case NOT_EQUAL -> compared != 0;
                case LESS -> compared < 0;
                case LESS_OR_EQUAL -> compared <= 0;
                case GREATER -> compared > 0;
                case GREATER_OR_EQUAL -> compared >= 0;
            };
        }
    }
}
