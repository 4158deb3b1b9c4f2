import { classNames } from './class-names';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'icon' | 'icon-sm';

const base =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border text-sm font-medium whitespace-nowrap select-none transition-colors duration-100';

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'border-transparent bg-primary text-on-primary hover:bg-primary-hover',
  secondary: 'border-line-strong bg-surface text-ink shadow-panel hover:bg-subtle',
  ghost: 'border-transparent bg-transparent text-soft hover:bg-subtle hover:text-ink data-popup-open:bg-subtle',
  danger: 'border-transparent bg-[#c3261c] text-white hover:bg-[#a81d14]',
};

const sizes: Readonly<Record<ButtonSize, string>> = {
  sm: 'h-7 px-2.5',
  md: 'h-8 px-3',
  icon: 'size-8',
  'icon-sm': 'size-7',
};

const off = 'cursor-not-allowed border-line bg-subtle text-faint shadow-none hover:bg-subtle hover:text-faint';

/** The look of a button, for links that act as one. `off`: it cannot be used now, and says why. */
export function buttonClass({
  variant = 'secondary',
  size = 'md',
  isOff = false,
  className,
}: {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  isOff?: boolean | undefined;
  className?: string | undefined;
}): string {
  return classNames(
    base,
    variants[variant],
    sizes[size],
    isOff && off,
    isOff && variant === 'ghost' && 'border-transparent bg-transparent',
    className,
  );
}
