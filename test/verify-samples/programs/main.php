<?php

require $argv[1];

$header = fn (string $name): ?string => getenv($name) === false ? null : getenv($name);
$isGenuine = isGenuineWebhook(
    file_get_contents('php://stdin'),
    $header('SIGNATURE'),
    $header('PREVIOUS'),
    getenv('SECRET'),
);
echo $isGenuine ? 'genuine' : 'rejected';
