import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { nonceHeader } from '@/auth/request-headers';
import { Providers } from '@/components/providers/providers';
import { env } from '@/env';
import './globals.css';

export async function generateMetadata(): Promise<Metadata> {
  // Asked first, so that nothing here runs while the product is being built.
  await headers();
  const label = env().HOLDFAST_ENVIRONMENT_LABEL;
  const product = label === undefined ? 'Holdfast' : `Holdfast ${label}`;
  return {
    title: { default: product, template: `%s · ${product}` },
    description: 'Control plane of Kubernetes clusters on CloudStack.',
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f7f9' },
    { media: '(prefers-color-scheme: dark)', color: '#0a0c0f' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(nonceHeader) ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body className="font-sans">
        <div className="app-root">
          <Providers nonce={nonce}>{children}</Providers>
        </div>
      </body>
    </html>
  );
}
