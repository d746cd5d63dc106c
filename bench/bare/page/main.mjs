import '@mantine/core/styles.layer.css';
import { Button, MantineProvider, TextInput, Title } from '@mantine/core';
import { createElement as make } from 'react';
import { createRoot } from 'react-dom/client';

/** Minimal page with React and Mantine: a bar of buttons, a list with a search, a heading. */
const page = make(
  MantineProvider,
  null,
  make('nav', null, make(Button, null, 'One'), make(Button, null, 'Two')),
  make('aside', null, make(TextInput, { label: 'Search' }), make(Title, null, 'Bare')),
);
const root = document.getElementById('page');
if (root) createRoot(root).render(page);
