'use client';
import { useTheme } from 'next-themes';
import { Toaster as Sonner } from 'sonner';

/** Toasts: success for six seconds, failures until closed, three at most. Never the only place of a message. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      visibleToasts={3}
      closeButton
      duration={6000}
      toastOptions={{
        classNames: {
          toast: '!rounded-lg !border-line-strong !bg-raised !text-ink !shadow-float !font-sans',
          description: '!text-soft',
          actionButton: '!bg-primary !text-on-primary',
          closeButton: '!bg-raised !border-line-strong !text-soft',
        },
      }}
    />
  );
}
