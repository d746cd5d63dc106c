import type { CSSVariablesResolver, MantineThemeOverride } from '@mantine/core';
import { createTheme } from '@mantine/core';
import { restoreFocus } from './restore-focus.ts';

export const fonts =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", ' +
  '"Noto Sans CJK SC", "WenQuanYi Zen Hei", sans-serif';
const monospaced =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "Noto Sans Mono CJK SC", monospace';

/** Transitions take less than 150 ms. */
const quick = { transitionProps: { duration: 120 } };
/** The content of a dialog is removed as soon as it closes, so there is nothing to fade out. */
const dialog = { transitionProps: { duration: 120, exitDuration: 0 } };

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: fonts,
  fontFamilyMonospace: monospaced,
  headings: { fontFamily: fonts, fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  colors: {
    dark: [
      '#e4e7eb',
      '#a4acb8',
      '#8a93a0',
      '#5f6773',
      '#3b424c',
      '#2d3239',
      '#22262c',
      '#1b1e23',
      '#17191d',
      '#121417',
    ],
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Drawer: { defaultProps: quick },
    Menu: { defaultProps: { ...quick, shadow: 'md' } },
    Modal: {
      defaultProps: { ...dialog, centered: true, onExitTransitionEnd: restoreFocus },
    },
    Popover: { defaultProps: { ...quick, shadow: 'md' } },
    Tooltip: { defaultProps: { ...quick, openDelay: 300, withArrow: true } },
  },
});

/**
 * The design tokens of both color schemes; style sheets use only these names. Text has a contrast
 * of at least 4.5:1.
 */
export const schemes = {
  light: {
    '--surface': '#ffffff',
    '--surface-list': '#f7f8fa',
    '--surface-bar': '#eef0f3',
    '--surface-hover': '#e6e9ee',
    '--surface-chosen': '#dde3fb',
    '--line': '#d9dde3',
    '--text': '#1c2026',
    '--text-quiet': '#525a66',
    '--accent': '#3b5bdb',
    '--good': '#1a6a30',
    '--warn': '#8f5700',
    '--bad': '#c02626',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1c2026',
    '--mantine-color-dimmed': '#525a66',
    '--mantine-color-placeholder': '#626a76',
    '--mantine-color-error': '#c02626',
    '--mantine-color-default-border': '#c3c9d2',
  },
  dark: {
    '--surface': '#1b1e23',
    '--surface-list': '#17191d',
    '--surface-bar': '#121417',
    '--surface-hover': '#262a31',
    '--surface-chosen': '#2a3358',
    '--line': '#2d3239',
    '--text': '#e4e7eb',
    '--text-quiet': '#a4acb8',
    '--accent': '#91a7ff',
    '--good': '#6cc785',
    '--warn': '#e5b567',
    '--bad': '#ff8a8a',
    '--mantine-color-body': '#1b1e23',
    '--mantine-color-text': '#e4e7eb',
    '--mantine-color-dimmed': '#a4acb8',
    '--mantine-color-placeholder': '#949ca8',
    '--mantine-color-error': '#ff8a8a',
    '--mantine-color-default': '#22262c',
    '--mantine-color-default-hover': '#2a2f37',
    '--mantine-color-default-border': '#3b424c',
  },
} as const;

export const tokens: CSSVariablesResolver = () => ({ variables: {}, ...schemes });
