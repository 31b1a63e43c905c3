// Builds the web part: the browser's files with a manifest, and (with --ssr) the renderer that backend/pages loads.

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  appType: 'custom',
  plugins: [react(), tailwindcss()],
  publicDir: isSsrBuild ? false : 'public',
  build: isSsrBuild
    ? { outDir: '../build/server', emptyOutDir: true, target: 'node22', rolldownOptions: { input: 'web/server.tsx' } }
    : {
        outDir: '../build/client',
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        target: 'baseline-widely-available',
        rolldownOptions: { input: 'web/main.tsx' },
        chunkSizeWarningLimit: 1500,
      },
  ssr: { noExternal: true as const },
}))
